import { z } from '@hono/zod-openapi'
import { validated } from '../../../errors/field-errors.ts'
import { createLabel, editLabel, type LabelDeps } from '../../../links/labels/edit-label.ts'
import { colorOf, labelInputs, NAME_LENGTH_MAX } from '../../../links/labels/label-fields.ts'
import type { LabelKind } from '../../../links/labels/label.ts'
import { type CountedLabel, findLabel, listLabels } from '../../../links/labels/list-labels.ts'
import { deleteLabel, mergeLabels } from '../../../links/labels/remove-label.ts'
import type { Store } from '../../../store/open-store.ts'
import { idOf } from '../../requests/path-id.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../endpoint.ts'
import { envelope } from './schemas.ts'

type LabelEndpointsDeps = Omit<LabelDeps, 'db'> & { store: Pick<Store, 'db' | 'readDb'> }
type Described = { deps: LabelEndpointsDeps; kind: LabelKind; path: string; title: string }

/** What can be done with tags, and the same with folders. */
export function labelEndpoints(deps: LabelEndpointsDeps): CallerEndpoint[] {
  const kinds: Described[] = [
    { deps, kind: 'tag', path: '/api/tags', title: 'Tag' },
    { deps, kind: 'folder', path: '/api/folders', title: 'Folder' },
  ]
  return kinds.flatMap((each) => [
    listEndpoint(each),
    createEndpoint(each),
    editEndpoint(each),
    mergeEndpoint(each),
    deleteEndpoint(each),
  ])
}

const labelSchema = z
  .strictObject({
    id: z.int().min(1).openapi({ example: 1 }),
    name: z.string().openapi({ example: 'Winter 2026' }),
    color: colorOf.meta({ example: 2 }),
    link_count: z.int().min(0).openapi({
      description: 'How many links have it, archived ones among them; those in the trash do not count.',
      example: 12,
    }),
    archived_link_count: z
      .int()
      .min(0)
      .openapi({ description: 'How many of them are archived.', example: 0 }),
  })
  .openapi('Label')

export type LabelView = z.infer<typeof labelSchema>

const labelView = ({ id, name, color, links, archived }: CountedLabel): LabelView => ({
  id,
  name,
  color,
  link_count: links,
  archived_link_count: archived,
})

function listEndpoint({ deps: { store }, kind, path, title }: Described): CallerEndpoint {
  return {
    method: 'get',
    path,
    tag: 'Tags and folders',
    summary: `List ${kind}s`,
    description: 'All of the workspace, in alphabetical order, with how many links have each.',
    access: 'key',
    scope: 'links:read',
    answer: {
      status: 200,
      description: `The ${kind}s.`,
      schema: envelope(`${title}s retrieved.`, { data: z.array(labelSchema) }),
    },
    async handle({ caller }) {
      const labels = await listLabels({ db: store.readDb }, caller, kind)
      return { body: success(`${title}s retrieved.`, { data: labels.map(labelView) }) }
    },
  }
}

function createEndpoint({ deps, kind, path, title }: Described): CallerEndpoint {
  const schema = labelInputs(kind).newLabel
  return {
    method: 'post',
    path,
    tag: 'Tags and folders',
    summary: `Create a ${kind}`,
    description: `A link that names a new ${kind} creates it as well. At most ${NAME_LENGTH_MAX[kind]} characters.`,
    access: 'key',
    scope: 'tags:write',
    body: { schema: schema.openapi(`New${title}`), example: { name: 'Summer 2026', color: 2 } },
    answer: {
      status: 201,
      description: `The ${kind}.`,
      schema: envelope(`${title} created.`, { data: labelSchema }),
    },
    refusals: [422],
    async handle({ caller, input }) {
      const sent = validated(schema, input)
      const label = await createLabel({ ...deps, db: deps.store.db }, caller, { kind, ...sent })
      const data = labelView({ ...label, links: 0, archived: 0 })
      return { status: 201, body: success(`${title} created.`, { data }) }
    },
  }
}

function editEndpoint({ deps, kind, path, title }: Described): CallerEndpoint {
  const schema = labelInputs(kind).edit
  return {
    method: 'put',
    path: `${path}/{id}`,
    tag: 'Tags and folders',
    summary: `Rename a ${kind}, or change its color`,
    description: 'All links that have it show the new name.',
    access: 'key',
    scope: 'tags:write',
    body: { schema: schema.openapi(`${title}Edit`), example: { name: 'Winter 2027' } },
    answer: {
      status: 200,
      description: 'Changed.',
      schema: envelope(`${title} updated.`, { data: labelSchema }),
    },
    refusals: [404, 422],
    async handle({ caller, params, input }) {
      const place = { kind, id: idOf(params) }
      await findLabel({ db: deps.store.readDb }, caller, place)
      await editLabel({ ...deps, db: deps.store.db }, caller, { ...place, ...validated(schema, input) })
      const data = labelView(await findLabel({ db: deps.store.readDb }, caller, place))
      return { body: success(`${title} updated.`, { data }) }
    },
  }
}

function mergeEndpoint({ deps, kind, path, title }: Described): CallerEndpoint {
  const schema = z.object({
    into: z
      .int('The :attribute must be the id of another one.')
      .min(1, 'The :attribute must be the id of another one.')
      .openapi({ description: `The id of the ${kind} that stays.` }),
  })
  return {
    method: 'post',
    path: `${path}/{id}/merge`,
    tag: 'Tags and folders',
    summary: `Merge a ${kind} into another`,
    description: `Its links get the other one, and it is removed.`,
    access: 'key',
    scope: 'tags:write',
    body: { schema: schema.openapi(`${title}Merge`), example: { into: 2 } },
    answer: {
      status: 200,
      description: 'The one that stays.',
      schema: envelope(`${title}s merged.`, { data: labelSchema }),
    },
    refusals: [404, 422],
    async handle({ caller, params, input }) {
      const place = { kind, id: idOf(params) }
      await findLabel({ db: deps.store.readDb }, caller, place)
      const { into } = validated(schema, input)
      await mergeLabels({ ...deps, db: deps.store.db }, caller, { ...place, into })
      const data = labelView(await findLabel({ db: deps.store.readDb }, caller, { kind, id: into }))
      return { body: success(`${title}s merged.`, { data }) }
    },
  }
}

function deleteEndpoint({ deps, kind, path, title }: Described): CallerEndpoint {
  return {
    method: 'delete',
    path: `${path}/{id}`,
    tag: 'Tags and folders',
    summary: `Delete a ${kind}`,
    description: 'Its links stay, without it.',
    access: 'key',
    scope: 'tags:write',
    answer: { status: 200, description: 'Deleted.', schema: envelope(`${title} deleted.`, {}) },
    refusals: [404],
    async handle({ caller, params }) {
      await deleteLabel({ ...deps, db: deps.store.db }, caller, { kind, id: idOf(params) })
      return { body: success(`${title} deleted.`) }
    },
  }
}
