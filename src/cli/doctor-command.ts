import { examine } from '../doctor/examine.ts'
import { Refusal } from '../refusal.ts'
import type { Command } from './command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Check settings, disk, clock, database, journal and codes. Changes nothing; works while the server runs.',
  options: { json: { type: 'boolean', meaning: 'Print JSON.' } },
  async run(call, { readConfig, clock, print }) {
    const found = await examine({ clock, config: readConfig() })
    const faults = found.filter(({ verdict }) => verdict === 'fault').length
    if (call.isSet('json')) print(JSON.stringify({ faults, findings: found }))
    else for (const { verdict, check, says } of found) print(`${verdict.padEnd(7)}  ${check}: ${says}`)
    if (faults > 0)
      throw new Refusal('invalid', faults === 1 ? '1 check failed.' : `${faults} checks failed.`)
  },
}
