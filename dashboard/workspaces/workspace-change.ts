import { useQueryClient } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { workIn } from '../request.ts'
import { isOfOwner, readSession, SESSION } from '../use-session.ts'

/** Works in another workspace from now on: without the data of the one before. */
export function useWorkspaceChange(): (workspaceId: number) => Promise<void> {
  const client = useQueryClient()
  return async (id) => {
    await ask('POST /workspaces/{id}/choose', { path: { id } })
    workIn(id)
    client.removeQueries({ predicate: isOfOwner })
    client.setQueryData(SESSION, await readSession())
  }
}
