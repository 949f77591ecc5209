/** A tag or a folder. Both are named by their workspace, and found without case. */
export type LabelKind = 'tag' | 'folder'

export type Label = {
  id: number
  kind: LabelKind
  name: string
  /** From 0 to COLORS - 1: one of the dashboard's data colors. */
  color: number
}

export const COLORS = 6

export type LabelName = { kind: LabelKind; name: string }

/** Labels differ by accents, but not by case. */
export const foldText = (text: string): string => text.toLowerCase()

/** Equal for names that are the same without case. */
export const foldedName = ({ kind, name }: LabelName): string => `${kind} ${foldText(name)}`
