import type { TableJson, TableListJson } from '../../wire/table.ts'
import { fetchJson } from '../connection.ts'
import { useLoaded } from '../loaded.ts'
import { Problem } from '../notice.tsx'
import { t } from '../preferences.ts'

/** Rows drawn, so that a large table does not block the page. */
const MAX_ROWS = 300

export function DocumentTables({ id }: { readonly id: string }) {
  const place = `/api/documents/${encodeURIComponent(id)}/tables`
  const loaded = useLoaded(signal => fetchJson<TableListJson>(place, { signal }), [id])
  const { value, problem } = loaded.value
  if (problem) return <Problem notice={problem} />
  if (!value) return <p class="quiet working">{t().loading}</p>
  if (value.tables.length === 0) return <p class="quiet empty">{t().document.noTables}</p>
  return (
    <div class="tables">
      {value.tables.map(table => (
        <TableView key={table.name} table={table} />
      ))}
    </div>
  )
}

function TableView({
  table: { name, caption, page, columns, rows },
}: {
  readonly table: TableJson
}) {
  return (
    <section>
      <h2 dir="auto">{caption || name}</h2>
      <p class="quiet">
        {page ? `${t().ask.page(page)} · ` : ''}
        {t().document.rows(rows.length)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div class="table-scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} class={column.kind === 'number' ? 'number' : ''}>
                  {column.name} <span class="quiet">{formatUnit(column)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} class={columns[column]?.kind === 'number' ? 'number' : ''}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && <p class="quiet">…</p>}
    </section>
  )
}

function formatUnit({ unit, scale }: TableJson['columns'][number]): string {
  return [scale > 1 ? scale.toLocaleString('en') : '', unit ?? ''].filter(Boolean).join(' ')
}
