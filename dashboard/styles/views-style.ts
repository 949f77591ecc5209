import { addLateStyle } from './late-style.ts'
import viewsCss from './views.css' with { type: 'text' }

/** Tabs of views, and what stands at the end of a search. */
addLateStyle(viewsCss)
