import { addLateStyle } from '../styles/late-style.ts'
import workspacesCss from '../styles/workspaces.css' with { type: 'text' }

addLateStyle(workspacesCss)
