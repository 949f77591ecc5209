import type { Store } from '../../../src/store/open-store.ts'
import { addAccount } from '../service/add-account.ts'
import { usePerSuite, usePerTest } from '../use-rig.ts'
import { closeStore, type Engine, openTestStore, testEngine } from './test-store.ts'

/** A store with a user, who owns a workspace. */
type OwnedStore = Store & { workspaceId: number }

const openOwnedStore =
  (engine: Engine) =>
  async (dataDir: string): Promise<OwnedStore> => {
    const store = await openTestStore(dataDir, engine)
    const { workspaceId } = await addAccount(store.db, { email: 'owner@example.com' })
    return { ...store, workspaceId }
  }

/** A new one for each test of a suite. */
export const useOwnedStore = (engine = testEngine): OwnedStore =>
  usePerTest(openOwnedStore(engine), closeStore)

/** One for all tests of a suite. */
export const useSharedOwnedStore = (engine = testEngine): OwnedStore =>
  usePerSuite(openOwnedStore(engine), closeStore)
