export function toUrl(path: string): string {
  return path.replace(/:(\w+)(?:\{[^}]*?(?:\\(\.\w+))?\})?/g, '{$1}$2')
}

export function toOperationId(method: string, path: string): string {
  const name = toUrl(path).replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `${method.toLowerCase()}${name.replace(/\W/g, '')}`
}
