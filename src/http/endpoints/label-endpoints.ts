import { z } from '@hono/zod-openapi'
import { createLabel, editLabel } from '../../links/labels/edit-label.ts'
import { colorOf, labelInputs, NAME_LENGTH_MAX } from '../../links/labels/label-fields.ts'
import type { LabelKind } from '../../links/labels/label.ts'
import { type CountedLabel, findLabel, listLabels } from '../../links/labels/list-labels.ts'
import { deleteLabel, mergeLabels } from '../../links/labels/remove-label.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint, type FindContext } from '../dispatch/endpoint.ts'
import { idOf } from '../requests/read-request.ts'

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

type Kind<Path extends `/${string}`> = { kind: LabelKind; path: Path; title: string }

const findIn =
  (kind: LabelKind) =>
  ({ deps, caller, params }: FindContext) =>
    findLabel({ db: deps.readDb }, caller, { kind, id: idOf(params) })

const listOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `GET ${path}`,
    who: 'both',
    scope: 'links:read',
    tag: 'Tags and folders',
    summary: `List ${kind}s`,
    description: 'All of the workspace, in alphabetical order, with how many links have each.',
    answer: { message: `${title}s retrieved.`, description: `The ${kind}s.`, data: z.array(labelSchema) },
    async run({ caller }, { readDb }) {
      const labels = await listLabels({ db: readDb }, caller, kind)
      return { data: labels.map(labelView) }
    },
  })

const creationOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `POST ${path}`,
    who: 'both',
    scope: 'tags:write',
    tag: 'Tags and folders',
    summary: `Create a ${kind}`,
    description: `A link that names a new ${kind} creates it as well. At most ${NAME_LENGTH_MAX[kind]} characters.`,
    input: body(labelInputs(kind).newLabel.openapi(`New${title}`), { name: 'Summer 2026', color: 2 }),
    answer: { status: 201, message: `${title} created.`, description: `The ${kind}.`, data: labelSchema },
    refusals: [422],
    async run({ caller, input }, deps) {
      const label = await createLabel(deps, caller, { kind, ...input })
      return { data: labelView({ ...label, links: 0, archived: 0 }) }
    },
  })

const editOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `PUT ${path}/{id}`,
    who: 'both',
    scope: 'tags:write',
    tag: 'Tags and folders',
    summary: `Rename a ${kind}, or change its color`,
    description: 'All links that have it show the new name.',
    input: body(labelInputs(kind).edit.openapi(`${title}Edit`), { name: 'Winter 2027' }),
    answer: { message: `${title} updated.`, description: 'Changed.', data: labelSchema },
    refusals: [404, 422],
    find: findIn(kind),
    async run({ caller, params, input }, deps) {
      const place = { kind, id: idOf(params) }
      await editLabel(deps, caller, { ...place, ...input })
      return { data: labelView(await findLabel({ db: deps.readDb }, caller, place)) }
    },
  })

const mergeOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `POST ${path}/{id}/merge`,
    who: 'both',
    scope: 'tags:write',
    tag: 'Tags and folders',
    summary: `Merge a ${kind} into another`,
    description: `Its links get the other one, and it is removed.`,
    input: body(mergeInput(kind).openapi(`${title}Merge`), { into: 2 }),
    answer: { message: `${title}s merged.`, description: 'The one that stays.', data: labelSchema },
    refusals: [404, 422],
    find: findIn(kind),
    async run({ caller, params, input: { into } }, deps) {
      await mergeLabels(deps, caller, { kind, id: idOf(params), into })
      return { data: labelView(await findLabel({ db: deps.readDb }, caller, { kind, id: into })) }
    },
  })

const mergeInput = (kind: LabelKind) =>
  z.object({
    into: z
      .int('The :attribute must be the id of another one.')
      .min(1, 'The :attribute must be the id of another one.')
      .openapi({ description: `The id of the ${kind} that stays.` }),
  })

const deletionOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `DELETE ${path}/{id}`,
    who: 'both',
    scope: 'tags:write',
    tag: 'Tags and folders',
    summary: `Delete a ${kind}`,
    description: 'Its links stay, without it.',
    answer: { message: `${title} deleted.`, description: 'Deleted.' },
    refusals: [404],
    async run({ caller, params }, deps) {
      await deleteLabel(deps, caller, { kind, id: idOf(params) })
    },
  })

/** What can be done with tags, and the same with folders. */
export const labelEndpoints = [
  ...endpointsOf({ kind: 'tag', path: '/tags', title: 'Tag' }),
  ...endpointsOf({ kind: 'folder', path: '/folders', title: 'Folder' }),
]

function endpointsOf<const Path extends `/${string}`>(kind: Kind<Path>) {
  return [listOf(kind), creationOf(kind), editOf(kind), mergeOf(kind), deletionOf(kind)]
}
