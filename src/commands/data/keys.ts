import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {recordKey} from '../../cli/record-changes.ts'
import {forgetMachine, readFingerprint, readMachineName, rememberMachine} from './shared/known-machines.ts'
import {refuseAgentTrust} from './shared/machine-key.ts'
import {machineKeys} from './shared/machine-keys.ts'
import {machineKeysView} from './shared/machine-keys-view.ts'

export default class DataKeys extends BaseCommand {
  static override summary =
    'Show the key of this machine, and the keys of other machines that are trusted here.'
  static override description =
    'Each machine signs what it exports, for data import and report shift --with, with a key of its own (Ed25519), which the first use makes. This shows its fingerprint. Compare the fingerprint of another machine with what data keys shows there, by phone or in person, and not in the message that brings the file: anyone can make a key and claim any name. Then trust it.'
  static override examples = [
    '<%= config.bin %> data keys',
    {
      description: 'Trust the machine of a colleague, under a name',
      command: '<%= config.bin %> data keys --trust ffba-ccia-flkf-ajil-gmmn-dcba-oppo-eefa --name desk-2',
    },
    {
      description: 'Trust it no longer',
      command: '<%= config.bin %> data keys --forget ffba-ccia-flkf-ajil-gmmn-dcba-oppo-eefa',
    },
  ]
  static override flags = {
    trust: Flags.string({
      helpValue: 'KEY',
      summary: 'Trust the machine with this key.',
      exclusive: ['forget'],
    }),
    name: Flags.string({
      helpValue: 'NAME',
      summary: 'What the machine of --trust is called here.',
      dependsOn: ['trust'],
    }),
    forget: Flags.string({helpValue: 'KEY', summary: 'Trust the machine with this key no longer.'}),
  }

  async run() {
    const {flags} = await this.parse(DataKeys)
    const {data} = this.context.folders
    const {trust, forget} = flags
    const name = flags.name === undefined ? undefined : readMachineName(flags.name)
    if (trust !== undefined) {
      refuseAgentTrust(this.context, 'trusts no machine')
      const fingerprint = readFingerprint(trust)
      const change = {operation: 'data.keys', note: `Trust the machine ${fingerprint}.`}
      await recordKey(this.context, change, () => rememberMachine(data, {fingerprint, name}))
    }
    if (forget !== undefined) {
      const fingerprint = readFingerprint(forget)
      const change = {operation: 'data.keys', note: `Trust the machine ${fingerprint} no longer.`}
      await recordKey(this.context, change, () => forgetMachine(data, fingerprint))
    }
    return this.context.printer.list(machineKeys(data), machineKeysView)
  }
}
