// Prints the local key in hex: a key of the test, made in its temporary folder.
import {localKeyFile} from '../../src/journal/index.ts'

process.stdout.write(
  localKeyFile(process.argv[2] ?? '')
    .open()
    .toString('hex'),
)
