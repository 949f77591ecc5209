import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import mark from '../src/http/pages/favicon.svg'
import { useIsOffline } from './connection.ts'
import { ReloadOffer } from './components/lazy-part.tsx'
import { Failed } from './components/states.tsx'
import { Toasts } from './components/toasts.tsx'
import { TooltipProvider } from './components/tooltip.tsx'
import { SignedOutFrame } from './pages/signed-out-frame.tsx'
import { LinksPage } from './pages/links-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { newQueryClient } from './queries.ts'
import { type Session, useSession } from './use-session.ts'
import { FirstPaint, PageSkeleton } from './shell/first-paint.tsx'
import { FollowServer } from './shell/follow-server.tsx'
import { FIRST_PAINT } from './shell/first-paint-name.ts'
import { Shell } from './shell/shell.tsx'

// LinksPage is not lazy, because most visits start there.
const LOADERS = {
  links: () => import('./pages/link-page.tsx'),
  overview: () => import('./pages/overview-page.tsx'),
  keys: () => import('./pages/keys-page.tsx'),
  account: () => import('./pages/account-page.tsx'),
  admin: () => import('./pages/admin-page.tsx'),
  signIn: () => import('./pages/sign-in-page.tsx'),
}
const LinkPage = lazy(LOADERS.links)
const OverviewPage = lazy(LOADERS.overview)
const KeysPage = lazy(LOADERS.keys)
const AccountPage = lazy(LOADERS.account)
const AdminPage = lazy(LOADERS.admin)
const ConfirmFirstPage = lazy(() => import('./pages/confirm-first-page.tsx'))
const TrashPage = lazy(() => import('./pages/trash-page.tsx'))
const SignInAgain = lazy(() => import('./pages/sign-in-again.tsx'))
const SignInPage = lazy(LOADERS.signIn)
const SignUpPage = lazy(() => import('./pages/sign-up-page.tsx'))
const VerifyPage = lazy(() => import('./pages/verify-page.tsx'))
const ForgotPasswordPage = lazy(() => import('./pages/forgot-password-page.tsx'))
const ResetPasswordPage = lazy(() => import('./pages/reset-password-page.tsx'))

const BASE = '/dashboard'

export function App() {
  const [client] = useState(newQueryClient)
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Toasts>
          <Router base={BASE}>
            <ReloadOffer>
              <Suspense fallback={<Look />}>
                <Pages />
                <FollowServer />
              </Suspense>
            </ReloadOffer>
          </Router>
        </Toasts>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

// Load the page's chunk while the session is being read, not after it.
const [, , section = ''] = location.pathname.split('/')
const early = FIRST_PAINT === 'signed-in' ? section : 'signIn'
// Suspense reports a failure when the page renders.
if (Object.hasOwn(LOADERS, early)) LOADERS[early as keyof typeof LOADERS]().catch(() => {})

/** The same as in the HTML, so that nothing moves when the script takes over. */
const Look = () => <FirstPaint name={FIRST_PAINT ?? 'signed-out'} mark={mark} base={BASE} />

function Pages() {
  const { data, error, refetch } = useSession()
  const isAway = useIsOffline()
  // Deferred, so that a slow phone can respond to touches while it renders.
  const isKnown = useDeferredValue(data !== undefined)
  if (data === undefined || !isKnown) {
    if (error === null || isAway) return <Look />
    return (
      <SignedOutFrame>
        <Failed heading="h1" error={error} onRetry={() => void refetch()} />
      </SignedOutFrame>
    )
  }
  return (
    <Switch>
      <Route path="/verify-email">
        <VerifyPage kind="verify" />
      </Route>
      <Route path="/confirm-email">
        <VerifyPage kind="change" />
      </Route>
      <Route path="/reset-password">
        <ResetPasswordPage />
      </Route>
      <Route path="/forgot-password">
        <ForgotPasswordPage />
      </Route>
      <Route>
        {data.user === null ? (
          <Doors session={data} />
        ) : (
          <SignedIn key={data.user.id} user={data.user} hasEnded={data.hasEnded} />
        )}
      </Route>
    </Switch>
  )
}

/** Keeps the URL, so that signing in leads to the requested page. */
function Doors({ session: { instance } }: { session: Session }) {
  const [path] = useLocation()
  if (path === '/sign-up' || (instance.is_empty && path !== '/sign-in')) return <SignUpPage />
  return <SignInPage />
}

type SignedInProps = { user: NonNullable<Session['user']>; hasEnded: boolean | undefined }

function SignedIn({ user, hasEnded }: SignedInProps) {
  return (
    <Shell>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          <Route path="/account/:tab?">{({ tab }) => <AccountPage tab={tab} />}</Route>
          {['/sign-in', '/sign-up'].map((path) => (
            <Route key={path} path={path}>
              <Redirect to="/" replace />
            </Route>
          ))}
          {!user.is_verified && (
            <Route>
              <ConfirmFirstPage />
            </Route>
          )}
          <Route path="/">
            <LinksPage />
          </Route>
          <Route path="/links/:code">{({ code }) => <LinkPage code={code!} key={code} />}</Route>
          <Route path="/trash">
            <TrashPage />
          </Route>
          <Route path="/overview">
            <OverviewPage />
          </Route>
          <Route path="/keys">
            <KeysPage />
          </Route>
          {user.role === 'admin' && <Route path="/admin/:tab?">{({ tab }) => <AdminPage tab={tab} />}</Route>}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
      {hasEnded && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </Shell>
  )
}
