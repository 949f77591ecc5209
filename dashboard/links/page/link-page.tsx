import { ChevronLeft, Pencil, QrCode } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { calendarDay, fullNumber, safeHref, shortUrlText, withoutScheme } from '../../format.ts'
import { AnalyticsTab } from './analytics-tab.tsx'
import { LinkBadges, ShortUrl } from '../link-name.tsx'
import { useTagColors } from '../labels/label-queries.ts'
import { LinkPageMenu, ShareButton } from './link-page-menu.tsx'
import { LinkStanding } from './link-standing.tsx'
import { type LinkActions, LinkDialogs, useLinkActions } from '../link-actions.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Switch } from '../../components/fields/switch.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { FolderName, Tags } from '../../components/tag.tsx'
import type { LinkAddress } from '../link-address.ts'
import { rootOf } from '../root-of.ts'
import { noteOpened } from '../../palette/palette-memory.ts'
import { useLink } from '../link-queries.ts'
import { RequestFailure } from '../../api/request.ts'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useSignedIn } from '../../use-session.ts'
import { historyStrings as texts } from '../history/history-strings.ts'
import { analyticsStrings } from '../../analytics/analytics-strings.ts'
import { strings } from '../../strings.ts'
import { useTitle } from '../../use-title.ts'
import './link-page.css'
import { reports } from '../../chunks/chunks.ts'
import { FailedCard, hasFailed } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'

/** `short_code`: as it stands in the path of the page. */
export default function LinkPage({ short_code: codeInPath, domain }: LinkAddress) {
  const code = decodeURIComponent(codeInPath)
  const address = { short_code: code, domain }
  useTitle(code)
  const [, navigate] = useLocation()
  const link = useLink({ short_code: code, domain })
  const actions = useLinkActions(() => navigate('/'))
  const { user } = useSignedIn()
  const isThere = link.data !== undefined
  const noteThis = useEffectEvent(() => noteOpened(user, { short_code: code, domain }))
  useEffect(() => {
    if (isThere) noteThis()
  }, [isThere, user.id, user.workspace.id, code, domain])
  useShortcuts(actions.canWrite ? { e: () => link.data && actions.edit(link.data) } : {})
  if (hasFailed(link)) return <LinkFailed address={address} query={link} />
  return (
    <div className="page">
      <div className="stack">
        <Back />
        <LinkHead address={address} link={link.data} actions={actions} />
        {link.data && <LinkStanding link={link.data} actions={actions} />}
      </div>
      <LinkTabs address={address} link={link.data} />
      <LinkDialogs actions={actions} />
    </div>
  )
}

type LinkFailedProps = { address: LinkAddress; query: ReturnType<typeof useLink> }

/** A link that is not there has neither a name nor analytics. */
const LinkFailed = ({ address, query }: LinkFailedProps) =>
  query.error instanceof RequestFailure && query.error.kind === 'not-found' ? (
    <div className="page">
      <Back />
      <FailedCard heading="h1" query={{ error: query.error }} />
    </div>
  ) : (
    <div className="page">
      <div className="stack">
        <Back />
        <header className="link-head">
          <div className="link-head-texts">
            <ComingUrl {...address} />
          </div>
        </header>
      </div>
      <FailedCard what={texts.link} query={query} />
      <LinkTabs address={address} link={undefined} />
    </div>
  )

/** The URL says which tab is open. */
function LinkTabs({ address, link }: { address: LinkAddress; link: OwnLink | undefined }) {
  const [parameters, setParameters] = useSearchParams()
  const show = (tab: string) =>
    setParameters((now) => {
      if (tab === 'history') now.set('tab', tab)
      else now.delete('tab')
      return now
    })
  return (
    <Tabs
      label={texts.tabs}
      open={parameters.get('tab') === 'history' ? 'history' : 'analytics'}
      onOpen={show}
      tabs={[
        {
          id: 'analytics',
          label: texts.analytics,
          content: (
            <div className="page-tab">
              <AnalyticsTab address={address} link={link} onHistory={() => show('history')} />
            </div>
          ),
        },
        {
          id: 'history',
          label: texts.title,
          count: link && link.version > 1 ? fullNumber(link.version) : undefined,
          content: (
            <div className="page-tab">
              <Suspense>{link && <reports.LinkHistory link={link} />}</Suspense>
            </div>
          ),
        },
      ]}
    />
  )
}

const Back = () => (
  <RouteLink href="/" className="back">
    <ChevronLeft size={16} aria-hidden />
    {analyticsStrings.back}
  </RouteLink>
)

type LinkHeadProps = { address: LinkAddress; link: OwnLink | undefined; actions: LinkActions }

function LinkHead({ address, link, actions }: LinkHeadProps) {
  if (link === undefined) {
    return (
      <header className="link-head" aria-busy>
        <div className="link-head-texts">
          <ComingUrl {...address} />
          <p>
            <Skeleton width={240} height={14} />
          </p>
          <span className="destination">
            <Skeleton width={280} height={14} />
          </span>
        </div>
        <div className="actions" aria-hidden>
          <Skeleton width={260} height={36} />
        </div>
      </header>
    )
  }
  return (
    <header className="link-head">
      <div className="link-head-texts">
        <ShortUrlLine url={link.short_url}>
          <LinkBadges link={link} />
        </ShortUrlLine>
        {link.title !== '' && <p>{link.title}</p>}
        <LinkPlace link={link} />
      </div>
      <div className="actions">
        {actions.canWrite && (
          <Switch
            label={analyticsStrings.switchOf(link.short_code)}
            isOn={link.is_active}
            onSwitch={(isOn) => actions.turn(link, isOn)}
          />
        )}
        <ShareButton link={link} />
        <Button icon={QrCode} onClick={() => actions.open('qr', link)}>
          {strings.links.qr}
        </Button>
        {actions.canWrite && (
          <Button icon={Pencil} onClick={() => actions.edit(link)}>
            {strings.links.edit}
          </Button>
        )}
        <LinkPageMenu link={link} actions={actions} />
      </div>
    </header>
  )
}

/** Rendered before the link has loaded. */
function ComingUrl({ domain, short_code: code }: LinkAddress) {
  const { instance } = useSignedIn()
  return <ShortUrlLine url={`${rootOf(domain, instance)}/${code}`} />
}

const ShortUrlLine = ({ url, children }: { url: string; children?: ReactNode }) => (
  <div className="link-name">
    <h1>
      <ShortUrl url={url} />
    </h1>
    <CopyButton text={url} label={strings.links.copyUrl(shortUrlText(url))} />
    {children}
  </div>
)

const TAGS_SHOWN = 6

function LinkPlace({ link }: { link: OwnLink }) {
  const { original_url: url, folder, tags, created_at: createdAt } = link
  const colors = useTagColors()
  return (
    <div className="link-place">
      <Destination url={url} />
      {folder !== null && <FolderName name={folder} />}
      {tags.length > 0 && <Tags names={tags} colors={colors} max={TAGS_SHOWN} />}
      <Time at={createdAt}>{strings.links.createdOn(calendarDay(createdAt))}</Time>
    </div>
  )
}

/** A link only if it is an http or https URL: a `javascript:` URL must not run here, however it was stored. */
function Destination({ url }: { url: string }) {
  const href = safeHref(url)
  return href === undefined ? (
    <span className="destination">{url}</span>
  ) : (
    <a className="destination" href={href} target="_blank" rel="noreferrer">
      {withoutScheme(url)}
    </a>
  )
}
