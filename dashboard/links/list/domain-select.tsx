import { Globe } from 'lucide-react'
import { Select } from '../../components/fields/field.tsx'
import { editorStrings } from '../editor/editor-strings.ts'

type DomainSelectProps = { domains: readonly string[]; domain: string; onDomain: (host: string) => void }

/** In the line that creates a link. */
export default function DomainSelect({ domains, domain, onDomain }: DomainSelectProps) {
  return (
    <span className="create-domain">
      <Globe size={16} aria-hidden />
      <Select
        aria-label={editorStrings.domain}
        value={domain}
        choices={domains.map((host) => ({ value: host, label: host }))}
        onChoice={onDomain}
      />
    </span>
  )
}
