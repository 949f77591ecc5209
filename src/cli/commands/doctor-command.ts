import { examine } from '../../doctor/examine.ts'
import type { Finding } from '../../doctor/finding.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Command } from '../command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Check settings, disk, clock, database, journal and codes. Changes nothing; works while the server runs.',
  options: { json: { type: 'boolean', meaning: 'Print JSON.' } },
  async run(call, { readConfig, clock, print }) {
    const found = await examine({ clock, config: readConfig() })
    const faults = found.filter(({ severity }) => severity === 'fault').length
    if (call.isSet('json')) print(JSON.stringify({ faults, findings: found.map(asJson) }))
    else
      for (const { severity, check, message } of found) print(`${severity.padEnd(7)}  ${check}: ${message}`)
    if (faults > 0)
      throw new Refusal('command_failed', faults === 1 ? '1 check failed.' : `${faults} checks failed.`)
  },
}

/** The names of the fields are what operators' scripts read. */
const asJson = ({ check, severity, message }: Finding) => ({ check, verdict: severity, says: message })
