import { useState } from 'react'

export const FORM = 'form'
export const PREVIEW = 'preview'
export const TEST = 'test'

/** What is beside the form, and on a narrow screen instead of it. */
export function usePanelTabs(opensTest: boolean) {
  const [tab, setTab] = useState(opensTest ? TEST : FORM)
  const [aside, setAside] = useState(opensTest ? TEST : PREVIEW)
  const [isChosen, setChosen] = useState(opensTest)
  return {
    tab,
    aside,
    onTab: (next: string) => {
      setTab(next)
      if (next === FORM) return
      setAside(next)
      setChosen(true)
    },
    /** What fits to the fields that were opened. Who has chosen keeps the choice. */
    suggest: (fitting: string) => {
      if (!isChosen) setAside(fitting)
    },
  }
}
