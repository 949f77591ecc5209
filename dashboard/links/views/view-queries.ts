import type { SavedViewView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api-client.ts'
import { sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { type ChangeOptions, useChange } from '../../use-change.ts'
import { useData } from '../../use-data.ts'
import { listStrings as texts } from '../list/list-strings.ts'

export type SavedView = SavedViewView
type ViewFields = { name: string; query: string; is_shared: boolean }

/** The user's own views and those that others share. */
export const useViews = () => useData('GET /views')

/** A change of the views, which are then read again. */
export const useViewChange = <Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input> = {},
) => useChange(change, { ...options, rereads: [['views']] })

export const createView = (input: ViewFields) => ask('POST /views', { input })
export const editView = ({ id }: SavedView, input: Partial<ViewFields>) =>
  ask('PUT /views/{id}', { path: { id }, input })
export const deleteView = ({ id }: SavedView) => ask('DELETE /views/{id}', { path: { id } })

/** Says why a view is as it was, where no form does. */
export function useNotSaved(): (error: unknown) => void {
  const toast = useToast()
  return (error) => toast({ tone: 'bad', text: texts.notSaved(sentenceOf(error)) })
}
