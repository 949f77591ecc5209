/**
 * Adds a style sheet when the part that needs it is loaded: the first load has only what every page needs. The policy allows
 * constructed style sheets, because only scripts can make them. Their layers are those of the other sheets.
 */
export function addLateStyle(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
