import { z } from 'zod'
import type { AnyDb } from '../../store/handles.ts'
import type { UncountedTraffic } from './own-traffic.ts'

/** The setting of workspaces. */
const NETWORKS_SETTING = 'uncounted_networks'

const storedNetworks = z.array(z.string()).catch([])

/** Of every workspace that does not count some visits. */
export async function readOwnTraffic(db: AnyDb): Promise<UncountedTraffic[]> {
  const keys = await db
    .selectFrom('workspaces')
    .select(['id', 'uncounted_key'])
    .where('uncounted_key', 'is not', null)
    .execute()
  const settings = await db
    .selectFrom('workspace_settings')
    .select(['workspace_id', 'value'])
    .where('name', '=', NETWORKS_SETTING)
    .execute()
  const keyOf = new Map(keys.map(({ id, uncounted_key: key }) => [id, key]))
  const networksOf = new Map(
    settings.map(({ workspace_id: id, value }) => [id, storedNetworks.parse(JSON.parse(value))]),
  )
  const ids = [...new Set([...keyOf.keys(), ...networksOf.keys()])].sort((one, other) => one - other)
  return ids.map((workspaceId) => ({
    workspaceId,
    cookieKey: keyOf.get(workspaceId) ?? null,
    networks: networksOf.get(workspaceId) ?? [],
  }))
}
