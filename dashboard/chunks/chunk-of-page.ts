/** The chunk of a page, by the first segment of its path. Other pages are in `management`. */
export const CHUNK_OF_PAGE = { links: 'reports', overview: 'reports' } as const
