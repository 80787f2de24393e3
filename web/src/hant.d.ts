declare module "virtual:hant" {
  const found: { characters: string; words: [string, string][] };
  export default found;
}
