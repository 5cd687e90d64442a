/** The form of the keys of uploaded files: `createFileKey` of `records/files/file.ts` assigns them. */
export function isFileKey(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{23}$/.test(candidate)
}
