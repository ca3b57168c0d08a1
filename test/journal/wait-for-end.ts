// Says that it is there, and stays until it is killed.
process.stdout.write('here\n')
setInterval(() => undefined, 60_000)
