import { ask } from '../api/api-client.ts'
import { ActionCard, Card } from '../components/card.tsx'
import { useDomains } from '../domains/domain-queries.ts'
import { domainStrings } from '../domains/domain-strings.ts'
import { IgnoreCaseDialog } from '../domains/ignore-case-dialog.tsx'
import { unicodeHost } from '../domains/unicode-host.ts'
import { adminStrings } from './admin-strings.ts'
import { useOperatorAction } from './confirm-action.tsx'

const texts = adminStrings.domains

type OperatorCaseProps = { host: string; onClose: () => void }

/** Of a domain that every workspace can use. */
export function OperatorCaseDialog({ host, onClose }: OperatorCaseProps) {
  const input = { case_insensitive: true }
  const change = useOperatorAction(() => ask('PUT /admin/domains/{host}', { path: { host }, input }), {
    said: domainStrings.caseIgnoredNow(unicodeHost(host)),
  })
  return <IgnoreCaseDialog {...{ host, change, onClose }} />
}

/** Of the domain of BASE_URL, which no list has. */
export function BaseCaseCard() {
  const base = useDomains().data?.[0]
  if (base === undefined) return null
  const name = unicodeHost(base.host)
  if (base.case_insensitive)
    return (
      <Card title={texts.caseOn(name)}>
        <p className="soft">{domainStrings.caseIgnored}</p>
      </Card>
    )
  return (
    <ActionCard
      title={texts.ignoreCaseOn(name)}
      text={domainStrings.caseCounts}
      dialog={(onClose) => <OperatorCaseDialog host={base.host} onClose={onClose} />}
    />
  )
}
