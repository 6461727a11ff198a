type Schema = { readonly description?: string; readonly anyOf?: readonly Schema[] }

export type Description = {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The routes under `/api` with the schemas that they use, and the events of an answer by name. */
export function selectOwnRoutes({ paths, components, ...rest }: Description): object {
  const own = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith('/api/')))
  const used = new Set<string>()
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(components.schemas[name])
    }
  }
  visit(own)
  const schemas = Object.entries(components.schemas).filter(([name]) => used.has(name))
  const events = (components.schemas.AskEvent?.anyOf ?? []).map(data => {
    const [, name = ''] = /Data of `(\w+)`/.exec(data.description ?? '') ?? []
    return [name, data] as const
  })
  const properties = Object.fromEntries(events)
  const AskEvents = { type: 'object', properties, required: Object.keys(properties) }
  const all = { ...components, schemas: { ...Object.fromEntries(schemas), AskEvents } }
  return { ...rest, paths: own, components: all }
}
