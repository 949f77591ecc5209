import { callerWithRole, type SignedInCaller } from '../../../src/access/caller.ts'

/** A caller with all rights in a workspace, for tests that call modules directly. */
export const ownerOf = (workspaceId: number): SignedInCaller =>
  callerWithRole({
    workspaceId,
    userId: workspaceId,
    role: 'owner',
    name: 'Owner',
    device: 'Firefox on Linux',
  })
