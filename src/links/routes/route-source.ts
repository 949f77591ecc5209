import type { Clock } from '../../runtime/clock.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { storePath } from '../../store/sqlite/open-sqlite-store.ts'
import type { StoreLocation } from '../../store/open-store.ts'
import { openPointRead } from '../../store/sqlite/point-read.ts'
import { openPostgresReader } from '../../store/postgres/postgres-reader.ts'
import { readRedirectState, type RedirectState } from './redirect-state.ts'
import { keepSaving, KnownLinks, knownLinksPath, refreshKnownLinks } from './known-links.ts'
import type { LinkCache, RouteReader } from './link-cache.ts'
import { ROUTE_SELECT, routeFromRow, type RouteRow } from './link-route.ts'
import { RemoteRoutes } from './remote-routes.ts'
import { ChangeWatch } from './watch-changes.ts'

/** Where redirects read links, and what keeps the cache up to date. */
export type RouteSource = {
  routes: RouteReader
  /** What was known when the program last ran. Used while `routes` cannot be read. */
  known?: KnownLinks
  /** Links cannot be read at the moment. */
  isDown(): boolean
  /** Call it before the cache reads anything: from then on, changes by other nodes reach it. */
  follow(cache: LinkCache, listener: OtherNodesListener): void
  /** Reads the redirect state once more, and tells the listener. Nothing where no other node can change it. */
  readStateAgain(): void
  close(): Promise<void>
}

type OtherNodesListener = {
  /** Unless it is what it was, every link has to be checked again. */
  onState(state: RedirectState): void
  /** There may have been a failover, and the new primary may lack the last commits of the old one. */
  onAnotherServer(): void
}

type SourceDeps = { clock: Pick<Clock, 'monotonicMs'>; log: Log }

export async function openRouteSource(place: StoreLocation, deps: SourceDeps): Promise<RouteSource> {
  return place.databaseUrl === undefined ? ownFile(place) : database(place.databaseUrl, place, deps)
}

/** No other node changes it, and this process announces its own changes. */
function ownFile({ dataDir }: StoreLocation): RouteSource {
  const read = openPointRead<RouteRow>(
    storePath(dataDir),
    `${ROUTE_SELECT} WHERE codes.code = ? AND codes.domain_id = ?`,
  )
  return {
    routes: {
      get({ code, domainId }) {
        try {
          const row = read.get(code, domainId)
          return row === undefined ? undefined : routeFromRow(row)
        } catch (cause) {
          return Promise.reject(asUnavailable(cause))
        }
      },
      forget() {},
    },
    isDown: () => false,
    follow() {},
    readStateAgain() {},
    close: async () => read.close(),
  }
}

const asUnavailable = (cause: unknown): unknown =>
  isStoreUnavailable(cause) ? new StoreUnavailable('The database cannot be read.', { cause }) : cause

async function database(
  url: string,
  { dataDir }: StoreLocation,
  { clock, log }: SourceDeps,
): Promise<RouteSource> {
  const reader = openPostgresReader(url)
  const routes = new RemoteRoutes(reader.db, clock)
  const path = knownLinksPath(dataDir)
  const links = await KnownLinks.load(path)
  let watch: ChangeWatch | undefined
  let saving: ReturnType<typeof keepSaving> | undefined
  return {
    routes,
    known: links,
    isDown: () => routes.isUnavailable || watch?.isUnavailable === true,
    follow(cache, listener) {
      const onState = async () => listener.onState(await readRedirectState(reader.db))
      const onAll = async () => {
        await onState()
        cache.forgetAll()
        listener.onAnotherServer()
        // Not awaited: redirects must not wait until all of them are read.
        refreshKnownLinks(cache, links).catch((error) =>
          log.warn('Could not refresh the known links.', describeError(error)),
        )
      }
      watch = new ChangeWatch(
        { reader, clock, log },
        { onLinks: (keys) => cache.forget(keys), onState, onAll },
      )
      // The known links too, for as long as they have not been looked up again.
      saving = keepSaving(path, [links, cache], clock)
    },
    readStateAgain: () => watch?.readStateAgain(),
    async close() {
      await watch?.stop()
      await saving?.stop()
      await reader.close()
    },
  }
}
