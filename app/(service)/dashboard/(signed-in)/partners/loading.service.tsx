export { default } from '../loading.service';
