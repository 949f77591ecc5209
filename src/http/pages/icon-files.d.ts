/** Icons imported `with { type: 'file' }`: the path, which in the executable points inside it. */
declare module '*.ico' {
  const path: string
  export default path
}
