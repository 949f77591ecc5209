import { addLateStyle } from '../styles/late-style.ts'
import workspacesCss from './workspaces.css' with { type: 'text' }

addLateStyle(workspacesCss)
