import { addLateStyle } from './late-style.ts'
import historyCss from './history.css' with { type: 'text' }

/** What a link was before, and what changed. */
addLateStyle(historyCss)
