// What was dropped on a page: files, and all files of the folders among it.

const entriesOf = (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    const reader = folder.createReader();
    const all: FileSystemEntry[] = [];
    const more = (): void =>
      reader.readEntries((some) => {
        if (!some.length) return resolve(all);
        all.push(...some);
        more(); // a reader gives a hundred at a time
      }, reject);
    more();
  });

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const all: File[] = [];
  for (const one of await entriesOf(entry as FileSystemDirectoryEntry)) all.push(...(await filesOf(one)));
  return all;
}

export async function dropped(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()); // before anything is waited for
  const plain = [...data.files];
  const all: File[] = [];
  for (const entry of entries) if (entry) all.push(...(await filesOf(entry)));
  return all.length ? all : plain;
}
