// Pages about clicks.
import './after-paint.ts'
export { default as LinkHistory } from '../links/history/link-history.tsx'
export { default as LinkPage } from '../links/page/link-page.tsx'
export { default as OverviewPage } from '../analytics/overview-page.tsx'
export { prefetchReports } from '../analytics/prefetch-reports.ts'
