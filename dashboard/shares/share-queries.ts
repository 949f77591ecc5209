import { useQuery } from '@tanstack/react-query'
import type { ShareView } from '../../src/http/endpoints/browser-types.ts'
import { ask, type OptionsOf } from '../api/api-client.ts'
import { RequestFailure } from '../api/request.ts'
import { useChange } from '../api/use-change.ts'
import type { LabelKind } from '../links/labels/label-queries.ts'
import { type LinkAddress, requestFor } from '../links/link-address.ts'
import { shareStrings as texts } from './share-strings.ts'

/** What is shared. */
export type ShareSubject =
  ({ kind: 'link'; name: string } & LinkAddress) | { kind: LabelKind; id: number; name: string }

type ShareInput = OptionsOf<'POST /links/{short_code}/share'>['input']
export type Panel = NonNullable<ShareView['panels']>[number]
/** Undefined: it stays as it is. */
export type ShareChanges = { panels?: Panel[]; ends_at?: string | null; password?: string | null }

const keyOf = (subject: ShareSubject) =>
  subject.kind === 'link'
    ? ['shares', 'link', subject.domain, subject.short_code]
    : ['shares', subject.kind, subject.id]

/** The public page; null if there is none. */
export const useShare = (subject: ShareSubject) =>
  useQuery({
    queryKey: keyOf(subject),
    queryFn: async ({ signal }): Promise<ShareView | null> => {
      try {
        const { data } =
          subject.kind === 'link'
            ? await ask('GET /links/{short_code}/share', { ...requestFor(subject), signal })
            : await ask(`GET /${subject.kind}/{id}/share`, { path: { id: subject.id }, signal })
        return data
      } catch (error) {
        if (error instanceof RequestFailure && error.details.code === 'share_not_found') return null
        throw error
      }
    },
  })

/** Turns the page on or off, changes it, or gives it another link. */
export function useShareChanges(subject: ShareSubject, onError: (error: unknown) => void) {
  const rereads = [keyOf(subject)]
  const options = { rereads, onError }
  return {
    turn: useChange((isOn: boolean) => (isOn ? create(subject) : remove(subject)), {
      ...options,
      said: (_, isOn) => (isOn ? texts.shared : texts.stopped),
    }),
    reset: useChange(() => reset(subject), { rereads, said: texts.resetDone }),
    edit: useChange((input: ShareChanges) => edit(subject, input), { rereads, said: texts.saved }),
  }
}

const NOTHING_CHOSEN: ShareInput = {}

const create = (subject: ShareSubject): Promise<unknown> =>
  subject.kind === 'link'
    ? ask('POST /links/{short_code}/share', { ...requestFor(subject), input: NOTHING_CHOSEN })
    : ask(`POST /${subject.kind}/{id}/share`, { path: { id: subject.id }, input: {} })

const remove = (subject: ShareSubject): Promise<unknown> =>
  subject.kind === 'link'
    ? ask('DELETE /links/{short_code}/share', requestFor(subject))
    : ask(`DELETE /${subject.kind}/{id}/share`, { path: { id: subject.id } })

const reset = (subject: ShareSubject): Promise<unknown> =>
  subject.kind === 'link'
    ? ask('POST /links/{short_code}/share/reset', requestFor(subject))
    : ask(`POST /${subject.kind}/{id}/share/reset`, { path: { id: subject.id } })

/** The server refuses a panel that the subject cannot have. */
const edit = (subject: ShareSubject, changes: ShareChanges): Promise<unknown> => {
  const input = changes as ShareInput
  return subject.kind === 'link'
    ? ask('PUT /links/{short_code}/share', { ...requestFor(subject), input })
    : ask(`PUT /${subject.kind}/{id}/share`, {
        path: { id: subject.id },
        input: changes as OptionsOf<'PUT /tags/{id}/share'>['input'],
      })
}
