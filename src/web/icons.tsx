const PATHS = {
  ask: 'M4 5h16v11H9l-5 4V5z',
  documents: 'M7 3h7l5 5v13H7V3zM14 3v5h5',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16.5 16.5 21 21',
  collections: 'M3 7h7l2 2h9v11H3V7zM6 4h5',
  activity: 'M3 12h4l3-7 4 14 3-7h4',
  keys: 'M15 4a5 5 0 1 1-4.6 7L3 18v3h4v-2h2v-2h2l1.4-1.4M16 8.5h.01',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 5v4M7 15v4',
  admin: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6l8-3z',
  good: 'M7 11v9H4v-9h3zM7 11l4-8c2 0 3 1 2.6 3L13 9h6l1 2-2 8-1 1H7',
  bad: 'M7 13V4H4v9h3zM7 13l4 8c2 0 3-1 2.6-3L13 15h6l1-2-2-8-1-1H7',
  close: 'M6 6l12 12M18 6 6 18',
  previous: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  send: 'M12 19V6M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  again: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  plus: 'M12 5v14M5 12h14',
  edit: 'M4 20h4L19 9l-4-4L4 16v4z',
  remove: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  pin: 'M9 4h6l-1 7 3 3v2H7v-2l3-3-1-7zM12 16v5',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2',
  summary: 'M4 6h16M4 11h16M4 16h10',
  compare: 'M4 5h6v14H4zM14 5h6v14h-6z',
  share: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M8 12h10',
  api: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  warning: 'M12 4 2.5 20h19L12 4zM12 10v4M12 17h.01',
}

export type IconName = keyof typeof PATHS

/** Drawn beside words, or in a button that has a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
