import {optionalArg} from '../cli/arguments.ts'
import {BaseCommand} from '../cli/base-command.ts'
import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {chosenView} from '../output/generic.ts'
import {describedNames, schemaOf, whyWithoutSchema} from './schema/shared/result-schema.ts'
import {wholeTool} from './schema/shared/whole-tool.ts'

export default class SchemaCommand extends BaseCommand {
  static override summary =
    'Print the JSON Schema of a result, or of errors and warnings; or the whole tool as data.'
  static override description =
    'The schema describes what a command prints with -o json. With ndjson, a list is one line per item. Options that change the result are not described: --query, --columns and --skeleton. Without a name, it lists everything that has a schema, and with -o json it prints the whole tool as data, as help -o json does: commands, arguments, flags, effects, secrets, examples, results, errors with their exit codes. Its schema is that of help. Schemas are draft 2020-12. See CHANGELOG.md for what stays the same.'
  static override examples = [
    '<%= config.bin %> schema cards get',
    '<%= config.bin %> schema error',
    {description: 'The whole tool as data', command: '<%= config.bin %> schema -o json'},
    '<%= config.bin %> schema -o json --query "commands[].name"',
  ]
  static override args = {
    name: optionalArg('Command, or error, hint, warning, note, dry-run, proposal or plan'),
  }
  static override strict = false

  async run() {
    const {argv} = await this.parse(SchemaCommand)
    const name = argv.map(String).join(' ')
    const {printer, outputOptions} = this.context
    if (name === '' && (outputOptions.format === 'json' || outputOptions.format === 'yaml')) {
      const tool = await wholeTool(this.config)
      await printer.data(tool)
      return tool
    }
    if (name === '') {
      const listed = await describedNames()
      await printer.list(listed, chosenView(['name', 'describes']))
      return listed
    }
    const schema = await schemaOf(name)
    if (schema === undefined)
      throw noSchema(
        name,
        whyWithoutSchema(name),
        (await describedNames()).map(one => one.name),
      )
    const {format, query, columns} = outputOptions
    if (format === 'table' && query === undefined && columns === undefined) {
      await printer.chunk(`${JSON.stringify(schema, null, 2)}\n`)
    } else await printer.data(schema)
    return schema
  }
}

function noSchema(name: string, why: string | undefined, names: readonly string[]): Failure {
  const meant = nearestName(name, names)
  return new Failure('USAGE', {
    message:
      why === undefined
        ? `There is no schema for ${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
        : `There is no schema for ${name}: ${why}.`,
    hint: 'List everything that has one: cardctl schema.',
    effect: 'none',
  })
}
