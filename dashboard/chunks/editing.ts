// Panels and dialogs that create and change links.
import './after-paint.ts'
export { default as BulkDialog } from '../links/bulk/bulk-dialog.tsx'
export { default as CreatePanel } from '../links/editor/create-panel.tsx'
export { default as EditPanel } from '../links/editor/edit-panel.tsx'
export { LabelsDialog, LinkLabelsDialog } from '../links/labels/labels-page.tsx'
export { NewLabelDialog } from '../links/labels/label-list.tsx'
export { default as QrDialog } from '../qr/qr-dialog.tsx'
export { default as ShareDialog } from '../shares/share-dialog.tsx'
