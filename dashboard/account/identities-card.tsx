import { IdCard, Link2 } from 'lucide-react'
import { useState } from 'react'
import type { IdentityView, ProviderView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Failed } from '../components/states.tsx'
import { relativeTime } from '../format.ts'
import { leaveForProvider } from '../sign-in/provider-buttons.tsx'
import { providerStrings as texts } from '../sign-in/provider-strings.ts'
import { useData } from '../api/use-data.ts'
import { ConfirmDialog } from './confirm-field.tsx'
import { RowList } from '../components/row-list.tsx'

/** The accounts at providers that the user signs in with. */
export function IdentitiesCard() {
  const identities = useData('GET /identities')
  const { data } = identities
  const [unlinking, setUnlinking] = useState<IdentityView>()
  const [linking, setLinking] = useState<ProviderView>()
  if (data === undefined) {
    return (
      <Card title={texts.title}>
        {identities.error === null ? (
          <Skeleton width={260} height={42} />
        ) : (
          <Failed what={texts.title} query={identities} />
        )}
      </Card>
    )
  }
  return (
    <Card title={texts.title}>
      <div className="form">
        <p className="soft">{texts.text}</p>
        {data.identities.length > 0 && (
          <RowList
            label={texts.title}
            icon={IdCard}
            rows={data.identities.map((identity) => ({
              id: identity.issuer,
              name: identity.name,
              hint: texts.lastUsed(identity.email, relativeTime(identity.last_used_at)),
              at: identity.last_used_at,
              action: (
                <Button
                  size="small"
                  variant="danger"
                  aria-label={`${texts.unlink}: ${identity.name}`}
                  onClick={() => setUnlinking(identity)}
                >
                  {texts.unlink}
                </Button>
              ),
            }))}
          />
        )}
        {data.linkable.length > 0 && (
          <div className="actions">
            {data.linkable.map((provider) => (
              <Button key={provider.id} icon={Link2} onClick={() => setLinking(provider)}>
                {texts.link(provider.name)}
              </Button>
            ))}
          </div>
        )}
      </div>
      {linking && <LinkDialog provider={linking} onClose={() => setLinking(undefined)} />}
      {unlinking && <UnlinkDialog identity={unlinking} onClose={() => setUnlinking(undefined)} />}
    </Card>
  )
}

const LinkDialog = ({ provider: { id, name }, onClose }: { provider: ProviderView; onClose: () => void }) => (
  <ConfirmDialog
    title={texts.link(name)}
    text={texts.linkText(name)}
    action={texts.continueWith(name)}
    change={(password) => ask('POST /identities', { input: { provider: id, password } })}
    onDone={({ data }) => leaveForProvider(data.url, '/account/security')}
    onClose={onClose}
  />
)

type UnlinkDialogProps = { identity: IdentityView; onClose: () => void }

const UnlinkDialog = ({ identity: { issuer, name }, onClose }: UnlinkDialogProps) => (
  <ConfirmDialog
    title={texts.unlinkTitle(name)}
    text={texts.unlinkText}
    action={texts.unlink}
    variant="danger"
    change={(password) => ask('DELETE /identities', { input: { issuer, password } })}
    said={texts.unlinked}
    onClose={onClose}
  />
)
