import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useState } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useIsOffline } from './api/request.ts'
import { ReloadOffer } from './components/lazy-part.tsx'
import { Failed } from './components/states.tsx'
import { Toasts } from './components/dialogs/toasts.tsx'
import { TooltipProvider } from './components/tooltip.tsx'
import { SignedOutFrame } from './sign-in/signed-out-frame.tsx'
import { LinksPage } from './links/list/links-page.tsx'
import { linksQuery, PLAIN } from './links/list/list-query.ts'
import { keepLinks, newQueryClient } from './links/link-queries.ts'
import { sessionOptions, SignedInContext, useSession, useSignedIn } from './use-session.ts'
import { FirstPaint, PageSkeleton } from './shell/first-paint.tsx'
import { FIRST_PAINT } from './shell/first-paint-name.ts'
import { keepFirstRows, takeFirstList } from './shell/first-rows.ts'
import { Shell } from './shell/shell.tsx'
import { CHUNK_OF_PAGE } from './chunks/chunk-of-page.ts'
import { afterPaint, load, management, reports, signingIn } from './chunks/chunks.ts'

const BASE = '/dashboard'
const OPEN_PAGES = /^\/((verify|confirm)-email|(reset|forgot)-password|invitation|single-sign-on\/[^/]+)\/?$/

const client = newQueryClient()

/**
 * Reads what the page that is opened shows first. React renders after that, once, instead of what the HTML has already, the shell, and
 * the page with and without its data.
 */
export const readFirst = () =>
  Promise.allSettled([client.prefetchQuery({ ...sessionOptions, retry: false }), loadPage()])

/** A page that is rendered with its data is rendered once. Reports that take longer come after it. */
const REPORT_MS = 100

const [, , section = ''] = location.pathname.split('/')

/** What a page about clicks needs is named in its HTML, so that waiting for it takes no time. */
async function loadPage(): Promise<void> {
  if (FIRST_PAINT === 'signed-out') return void load.signingIn().catch(reported)
  load.afterPaint().catch(reported)
  if (FIRST_PAINT === 'list') return
  if (!(section in CHUNK_OF_PAGE)) return void load.management().catch(reported)
  const { prefetchReports } = await load[CHUNK_OF_PAGE[section as keyof typeof CHUNK_OF_PAGE]]()
  await Promise.race([prefetchReports(client), new Promise((resolve) => setTimeout(resolve, REPORT_MS))])
}

/** By Suspense, when the page renders. */
const reported = () => {}

export function App() {
  // Rows that were shown before React had loaded stay, without another request.
  useState(keepFirstList)
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Toasts>
          <Router base={BASE}>
            <ReloadOffer>
              <Suspense fallback={<Look />}>
                <Pages />
                {/* Loaded at once, but not waited for. */}
                <Suspense>
                  <afterPaint.FollowServer />
                </Suspense>
              </Suspense>
            </ReloadOffer>
          </Router>
        </Toasts>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

function keepFirstList(): void {
  const list = takeFirstList()
  if (list !== undefined) keepLinks(client, linksQuery(PLAIN), list)
}

/** The same as in the HTML, so that nothing moves when the script takes over. */
const Look = () => <FirstPaint name={FIRST_PAINT ?? 'signed-out'} base={BASE} keepRows={keepFirstRows} />

function Pages() {
  const session = useSession()
  const { data, error } = session
  const isAway = useIsOffline()
  // Deferred, so that a slow phone can respond to touches while it renders.
  const isKnown = useDeferredValue(data !== undefined)
  if (data === undefined || !isKnown) {
    if (error === null || isAway) return <Look />
    return (
      <SignedOutFrame>
        <Failed heading="h1" query={session} />
      </SignedOutFrame>
    )
  }
  return (
    <Switch>
      <Route path={OPEN_PAGES}>
        <signingIn.OpenPages />
      </Route>
      <Route>
        {data.user === null ? (
          <signingIn.SignedOutPages instance={data.instance} />
        ) : (
          <SignedInContext value={{ user: data.user, instance: data.instance }}>
            <SignedIn key={`${data.user.id} ${data.user.workspace.id}`} hasEnded={data.hasEnded} />
          </SignedInContext>
        )}
      </Route>
    </Switch>
  )
}

function SignedIn({ hasEnded }: { hasEnded: boolean | undefined }) {
  const { user, instance } = useSignedIn()
  const { host } = new URL(instance.base_url)
  return (
    <Shell>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          <Route path="/account/:tab?">{({ tab }) => <management.AccountPage tab={tab} />}</Route>
          {['/sign-in', '/sign-up'].map((path) => (
            <Route key={path} path={path}>
              <Redirect to="/" replace />
            </Route>
          ))}
          {(!user.is_verified || user.needs_two_factor) && (
            <Route>
              <management.FirstStepPage />
            </Route>
          )}
          <Route path="/">
            {/* Not lazy, because most visits start there. */}
            <LinksPage />
          </Route>
          <Route path="/links/:code">
            {({ code }) => <reports.LinkPage short_code={code!} domain={host} key={code} />}
          </Route>
          <Route path="/links/:domain/:code">
            {({ domain, code }) => (
              <reports.LinkPage short_code={code!} domain={domain!} key={`${domain}/${code}`} />
            )}
          </Route>
          <Route
            path="/audit-log"
            component={user.can.includes('audit:read') ? management.AuditPage : management.NoAccessPage}
          />
          <Route path="/trash" component={management.TrashPage} />
          <Route path="/imports/:id?" component={management.ImportsPage} />
          <Route path="/tags/:tab?">{({ tab }) => <management.LabelsPage tab={tab} />}</Route>
          <Route path="/overview" component={reports.OverviewPage} />
          <Route path="/keys" component={management.KeysPage} />
          <Route path="/settings" component={management.SettingsPage} />
          <Route path="/domains/:host?">
            {({ host }) =>
              user.can.includes('domains:write') ? (
                <management.DomainsPage host={host} key={host} />
              ) : (
                <management.NoAccessPage />
              )
            }
          </Route>
          <Route
            path="/members"
            component={user.can.includes('members:manage') ? management.MembersPage : management.NoAccessPage}
          />
          {user.role === 'admin' && (
            <Route path="/admin/:tab?">{({ tab }) => <management.AdminPage tab={tab} />}</Route>
          )}
          <Route>
            <management.NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
      {hasEnded && (
        <Suspense>
          <signingIn.SignInAgain />
        </Suspense>
      )}
    </Shell>
  )
}
