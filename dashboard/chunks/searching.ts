// What opens over every page by a key.
export { default as Palette } from '../palette/palette.tsx'
export { default as HelpDialog } from '../shell/help-dialog.tsx'
