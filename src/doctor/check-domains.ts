import { type CertificateState, certificateState, endsSoon } from '../domains/domain-certificate.ts'
import type { DomainChecks, Findings } from '../domains/domain-checks.ts'
import { DAY_US, dayOf, isoDay } from '../runtime/clock.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Finding, findings, type Problem, warning } from './finding.ts'

/** The server looks at the others once a day all the same. */
const LOOKED_AT_MAX = 100

type CheckDeps = { db: CurrentDb; nowUs: number; checks: Pick<DomainChecks, 'checkAll'> }

/** Whether the domains that were verified lead to this server, and how long their certificates are valid. Looks at them now. */
export async function checkDomains({ db, nowUs, checks }: CheckDeps): Promise<Finding[]> {
  const all = db
    .selectFrom('domains')
    .leftJoin('workspaces', 'workspaces.id', 'domains.workspace_id')
    .where('domains.host', 'is not', null)
    .where('domains.id', '<>', 0)
    .where('workspaces.closed_at', 'is', null)
  const domains = await all
    .select(['domains.name', 'verification_token as token'])
    .orderBy('domains.id')
    .limit(LOOKED_AT_MAX)
    .execute()
  if (domains.length === 0) return []
  const results = await checks.checkAll(domains.map(({ name, token }) => ({ name, token: token ?? '' })))
  const looks = domains.map(({ name }, index) => ({ name, ...results[index]! }))
  const problems: Problem[] = looks.flatMap(({ pointing }) =>
    pointing === undefined ? [] : [warning(pointing)],
  )
  const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return [
    ...findings('domains', problems, allLeadHere(domains.length, Number(count))),
    ...looks.flatMap(({ name, certificate }) =>
      certificate === undefined ? [] : [certificateFinding(name, certificate, nowUs)],
    ),
  ]
}

function allLeadHere(looked: number, count: number): string {
  if (looked < count)
    return `The first ${looked} of ${count} domains lead here. The server looks at the others once a day.`
  return count === 1
    ? 'The domain besides that of BASE_URL leads here.'
    : `All ${count} domains besides that of BASE_URL lead here.`
}

function certificateFinding(
  name: string,
  certificate: NonNullable<Findings['certificate']>,
  nowUs: number,
): Finding {
  const state = certificateState(certificate, nowUs)
  const end = certificate.endsUs === null ? '' : isoDay(dayOf(certificate.endsUs))
  if (state !== 'valid')
    return certificateWarning(`${WORDS[state](name, end)} Visitors cannot open links there.`)
  if (!endsSoon(certificate, nowUs))
    return {
      check: 'certificates',
      severity: 'ok',
      message: `The certificate of ${name} is valid until ${end}.`,
    }
  const days = Math.ceil((certificate.endsUs! - nowUs) / DAY_US)
  return certificateWarning(
    `The certificate of ${name} ends ${days === 1 ? 'within a day' : `in ${days} days`}, on ${end}. Renew it.`,
  )
}

const certificateWarning = (message: string): Finding => ({ check: 'certificates', ...warning(message) })

const WORDS: Record<Exclude<CertificateState, 'valid'>, (name: string, end: string) => string> = {
  expired: (name, end) => `The certificate of ${name} expired on ${end}.`,
  wrong_host: (name, end) => `${name} has the certificate of another host, valid until ${end}.`,
  self_signed: (name, end) => `The certificate of ${name} is self-signed, valid until ${end}.`,
  incomplete_chain: (name, end) =>
    `${name} does not send the intermediate certificate that a known authority has signed, only its own, valid until ${end}.`,
  untrusted: (name, end) =>
    `The certificate of ${name} is not signed by an authority that this machine trusts, valid until ${end}.`,
  no_answer: (name) => `${name} does not answer with TLS.`,
}
