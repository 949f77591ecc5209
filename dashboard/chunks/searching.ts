// What opens over every page by a key.
import './after-paint.ts'
export { default as Palette } from '../palette/palette.tsx'
export { default as HelpDialog } from '../shell/help-dialog.tsx'
