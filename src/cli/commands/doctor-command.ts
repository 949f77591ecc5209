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
    const findings = await examine({ clock, config: readConfig() })
    const faults = findings.filter(({ severity }) => severity === 'fault').length
    if (call.isSet('json')) print(JSON.stringify({ faults, findings: findings.map(asJson) }))
    else
      for (const finding of findings)
        print(`${finding.severity.padEnd(7)}  ${nameOf(finding)}: ${finding.message}`)
    if (faults > 0)
      throw new Refusal('command_failed', faults === 1 ? '1 check failed.' : `${faults} checks failed.`)
  },
}

/** The names of the fields are what operators' scripts read. */
const asJson = (finding: Finding) => ({
  check: nameOf(finding),
  verdict: finding.severity,
  says: finding.message,
})

const nameOf = ({ check, worker }: Finding) => (worker === undefined ? check : `${check} of worker ${worker}`)
