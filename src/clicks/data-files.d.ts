/** Files that are imported `with { type: 'file' }`: where each lies, which in one executable is inside itself. */
declare module '*.mmdb' {
  const path: string
  export default path
}
