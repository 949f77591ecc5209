import './api/early-requests.ts'
import { applyTheme, chosenTheme } from './shell/theme.ts'

// Small, so that the requests and the first rows do not wait for React.
applyTheme(chosenTheme())
void import('./start.tsx')
