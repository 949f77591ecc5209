import { sentenceOf } from '../../components/states.tsx'
import { UNDO_MS, useToast } from '../../components/toasts.tsx'
import { listStrings as texts } from '../../strings/list-strings.ts'
import { type SavedView, useViewCreation, useViewDeletion } from './view-queries.ts'

/** For one's own view: undo saves it again. */
export function useDeletionWithUndo(view: SavedView, onDeleted: () => void): () => void {
  const { id, name, query, is_shared } = view
  const toast = useToast()
  const deletion = useViewDeletion()
  const creation = useViewCreation()
  const onError = (error: Error) => toast({ text: texts.notSaved(sentenceOf(error)), tone: 'bad' })
  // Promises, because the menu of the view is gone when they settle.
  const undo = () =>
    creation
      .mutateAsync({ name, query, is_shared })
      .then(() => toast({ text: texts.viewBack(name) }), onError)
  const onDone = () => {
    toast({ text: texts.deleted(name), shownMs: UNDO_MS, onUndo: () => void undo() })
    onDeleted()
  }
  return () => void deletion.mutateAsync(id).then(onDone, onError)
}
