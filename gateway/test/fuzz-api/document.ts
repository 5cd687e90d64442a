// The document as schemathesis shall read it: a link that gives a body gives the whole of it. Merged with a generated
// one, as is its habit, hardly any would be accepted, and what follows an accepted send would not be tried.

interface Answers {
  readonly links?: Readonly<Record<string, Record<string, unknown>>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Answers> }>>>>
}

export function forStateful(text: string): string {
  const document = JSON.parse(text) as Document
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) {
      for (const { links = {} } of Object.values(operation.responses)) {
        for (const link of Object.values(links)) {
          if (link.requestBody !== undefined) link['x-schemathesis'] = { merge_body: false }
        }
      }
    }
  }
  return JSON.stringify(document)
}
