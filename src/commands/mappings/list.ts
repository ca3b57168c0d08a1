import {LocalListCommand} from '../../cli/local-list.ts'
import {readMappings} from '../../cli/sheet/mappings-file.ts'
import {chosenView} from '../../output/generic.ts'

export default class MappingsList extends LocalListCommand {
  static override summary = 'List the mappings of spreadsheets that are kept by name.'
  static override examples = ['<%= config.bin %> mappings list']

  async run() {
    const {flags} = await this.parse(MappingsList)
    const view = chosenView(['name', 'operation', 'map', 'fill', 'sheet'])
    return this.list('mappings', () => readMappings(this.context), view, flags)
  }
}
