import { CodeBlock } from '../components/copy.tsx'
import { withoutScheme } from '../format.ts'
import { domainStrings as texts } from './domain-strings.ts'
import { useSignedIn } from '../use-session.ts'
import type { DomainRow } from './domain-queries.ts'

/** What must be set at the DNS provider. */
export function DomainRecords({ domain: { host, verification } }: { domain: DomainRow }) {
  const base = withoutScheme(useSignedIn().instance.base_url).replace(/:\d+$/, '')
  if (verification === null) return null
  return (
    <div className="form">
      <h3>{texts.recordsTitle}</h3>
      {host.split('.').length > 2 ? (
        <Record type="CNAME" name={host} value={base} />
      ) : (
        <p>{texts.bareDomain(base)}</p>
      )}
      <Record type="TXT" name={verification.txt_name} value={verification.value} />
      <p className="hint">{texts.file(verification.file_path)}</p>
    </div>
  )
}

const Record = ({ type, name, value }: { type: string; name: string; value: string }) => (
  <div className="record">
    <strong>{type}</strong>
    <CodeBlock label={texts.recordName(type)} text={name} />
    <CodeBlock label={texts.recordValue(type)} text={value} />
  </div>
)
