import { addLateStyle } from './late-style.ts'
import accountCss from './account.css' with { type: 'text' }

/** Account, API keys and Admin. */
addLateStyle(accountCss)
