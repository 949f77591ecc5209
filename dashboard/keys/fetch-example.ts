/** What a page does with a publishable key. */
export const fetchExample = (baseUrl: string, key: string): string =>
  [
    `const response = await fetch('${baseUrl}/api/links', {`,
    "  method: 'POST',",
    `  headers: { 'X-API-Key': '${key}', 'Content-Type': 'application/json' },`,
    "  body: JSON.stringify({ original_url: 'https://example.com/a/long/url' }),",
    '})',
    'const { data } = await response.json()',
  ].join('\n')
