/** What a source says to users of the command line, with the names that the options have in requests. */
export const jobSentence = (sentence: string): string =>
  sentence.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) => name.replaceAll('-', '_'))
