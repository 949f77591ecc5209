import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import type { Session } from './api-client.ts'
import { ReloadOffer } from './parts/lazy-part.tsx'
import { Failed } from './parts/states.tsx'
import { Toasts } from './parts/toasts.tsx'
import { TooltipProvider } from './parts/tooltip.tsx'
import { DoorFrame } from './pages/door-frame.tsx'
import { LinksPage } from './pages/links-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { sendPendingDeletions } from './pending-deletions.ts'
import { newQueryClient, useSession } from './queries.ts'
import { Shell } from './shell/shell.tsx'

// The pages that most visits begin with come at once, the others when they are gone to.
const LinkPage = lazy(() => import('./pages/link-page.tsx'))
const OverviewPage = lazy(() => import('./pages/overview-page.tsx'))
const KeysPage = lazy(() => import('./pages/keys-page.tsx'))
const AccountPage = lazy(() => import('./pages/account-page.tsx'))
const AdminPage = lazy(() => import('./pages/admin-page.tsx'))
const SignUpPage = lazy(() => import('./pages/sign-up-page.tsx'))
const VerifyPage = lazy(() => import('./pages/verify-page.tsx'))
const ResetPage = lazy(() => import('./pages/reset-page.tsx'))

const BASE = '/dashboard'

export function App() {
  const [client] = useState(newQueryClient)
  useEffect(() => {
    const leave = () => void sendPendingDeletions()
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Toasts>
          <Router base={BASE}>
            <ReloadOffer>
              <Suspense>
                <Pages />
              </Suspense>
            </ReloadOffer>
          </Router>
        </Toasts>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

function Pages() {
  const { data, error, refetch } = useSession()
  if (data === undefined) {
    if (error === null) return null
    return (
      <DoorFrame>
        <Failed heading="h1" error={error} onRetry={() => void refetch()} />
      </DoorFrame>
    )
  }
  return (
    <Switch>
      <Route path="/verify">
        <VerifyPage />
      </Route>
      <Route path="/reset">
        <ResetPage />
      </Route>
      <Route>
        {data.user === null ? <Doors session={data} /> : <SignedIn isOperator={data.user.is_operator} />}
      </Route>
    </Switch>
  )
}

/** For whoever is not signed in; after signing in they are where they wanted to go. */
function Doors({ session: { instance } }: { session: Session }) {
  const [path] = useLocation()
  if (path === '/sign-up' || (!instance.has_accounts && path !== '/sign-in')) return <SignUpPage />
  return <SignInPage />
}

function SignedIn({ isOperator }: { isOperator: boolean }) {
  return (
    <Shell>
      <Suspense>
        <Switch>
          <Route path="/">
            <LinksPage />
          </Route>
          <Route path="/links/:code">{({ code }) => <LinkPage code={code!} key={code} />}</Route>
          <Route path="/overview">
            <OverviewPage />
          </Route>
          <Route path="/keys">
            <KeysPage />
          </Route>
          <Route path="/account/:tab?">{({ tab }) => <AccountPage tab={tab} />}</Route>
          {isOperator && <Route path="/admin/:tab?">{({ tab }) => <AdminPage tab={tab} />}</Route>}
          {['/sign-in', '/sign-up'].map((path) => (
            <Route key={path} path={path}>
              <Redirect to="/" replace />
            </Route>
          ))}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  )
}
