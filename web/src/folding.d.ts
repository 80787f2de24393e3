declare module "virtual:folding" {
  const groups: string;
  export default groups;
}
