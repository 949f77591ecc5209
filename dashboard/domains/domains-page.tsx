import { Plus } from 'lucide-react'
import { useState } from 'react'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { DomainList } from './domain-list.tsx'
import { useDomains } from './domain-queries.ts'
import { DomainSettings } from './domain-settings.tsx'
import { Button } from '../components/button.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import './domains.css'
import NotFoundPage from '../shell/not-found-page.tsx'
import { useTitle } from '../use-title.ts'

/** All domains, or the settings of one. */
export default function DomainsPage({ host }: { host: string | undefined }) {
  const { data } = useDomains()
  if (host === undefined) return <AllDomains />
  const domain = data?.find((each) => each.host === host && !each.is_shared)
  if (domain !== undefined) return <DomainSettings domain={domain} />
  return data === undefined ? <AllDomains /> : <NotFoundPage />
}

function AllDomains() {
  useTitle(texts.title)
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  const hasOwn = useDomains().data?.some(({ is_shared: isShared }) => !isShared)
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{texts.title}</h1>
          <p className="soft">{texts.lead}</p>
        </div>
        {/* Without a domain, the button stands with its steps. */}
        {hasOwn !== false && (
          <Button variant="primary" icon={Plus} onClick={open}>
            {texts.add}
          </Button>
        )}
      </div>
      <DomainList onAdd={open} />
      {isOpen && <AddDomainDialog onClose={() => setOpen(false)} />}
    </div>
  )
}
