import { Plus } from 'lucide-react'
import { useState } from 'react'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { DomainList } from './domain-list.tsx'
import { useDomains } from './domain-queries.ts'
import { DomainSettings } from './domain-settings.tsx'
import { Button } from '../components/button.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import './domains.css'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { Page } from '../components/page.tsx'

/** All domains, or the settings of one. */
export default function DomainsPage({ host }: { host: string | undefined }) {
  const { data } = useDomains()
  if (host === undefined) return <AllDomains />
  const domain = data?.find((each) => each.host === host && !each.is_shared)
  if (domain !== undefined) return <DomainSettings domain={domain} />
  return data === undefined ? <AllDomains /> : <NotFoundPage />
}

function AllDomains() {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  const hasOwn = useDomains().data?.some(({ is_shared: isShared }) => !isShared)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      // Without a domain, the button stands with its steps.
      action={
        hasOwn !== false && (
          <Button variant="primary" icon={Plus} onClick={open}>
            {texts.add}
          </Button>
        )
      }
    >
      <DomainList onAdd={open} />
      {isOpen && <AddDomainDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}
