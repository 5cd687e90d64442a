/** Finds base images of the Containerfile that are named by tag: what a tag means changes without a commit. */
export function findUnpinnedBases(containerfile: string): string[] {
  return [...containerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)]
    .filter(([, , image]) => !/@sha256:[0-9a-f]{64}$/.test(image!))
    .map(([, name, image]) => `Containerfile: ${name}=${image} has no digest; append @sha256:…`)
}
