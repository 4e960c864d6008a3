// Sixty variables in one frame: whatever is written behind v43 is found.
#include <stdlib.h>
#include <string.h>

static char *kept[60];
static size_t sizes[60];
static int n_kept;

__attribute__((noinline)) static void note(char *variable, size_t n_bytes) {
    memset(variable, n_kept, n_bytes);
    kept[n_kept] = variable;
    sizes[n_kept++] = n_bytes;
}

__attribute__((noinline)) static int many_variables(int which, size_t at) {
    char v0[41];
    note(v0, sizeof v0);
    char v1[2];
    note(v1, sizeof v1);
    char v2[3];
    note(v2, sizeof v2);
    char v3[4];
    note(v3, sizeof v3);
    char v4[5];
    note(v4, sizeof v4);
    char v5[6];
    note(v5, sizeof v5);
    char v6[7];
    note(v6, sizeof v6);
    char v7[48];
    note(v7, sizeof v7);
    char v8[9];
    note(v8, sizeof v8);
    char v9[10];
    note(v9, sizeof v9);
    char v10[11];
    note(v10, sizeof v10);
    char v11[12];
    note(v11, sizeof v11);
    char v12[13];
    note(v12, sizeof v12);
    char v13[1];
    note(v13, sizeof v13);
    char v14[42];
    note(v14, sizeof v14);
    char v15[3];
    note(v15, sizeof v15);
    char v16[4];
    note(v16, sizeof v16);
    char v17[5];
    note(v17, sizeof v17);
    char v18[6];
    note(v18, sizeof v18);
    char v19[7];
    note(v19, sizeof v19);
    char v20[8];
    note(v20, sizeof v20);
    char v21[49];
    note(v21, sizeof v21);
    char v22[10];
    note(v22, sizeof v22);
    char v23[11];
    note(v23, sizeof v23);
    char v24[12];
    note(v24, sizeof v24);
    char v25[13];
    note(v25, sizeof v25);
    char v26[1];
    note(v26, sizeof v26);
    char v27[2];
    note(v27, sizeof v27);
    char v28[43];
    note(v28, sizeof v28);
    char v29[4];
    note(v29, sizeof v29);
    char v30[5];
    note(v30, sizeof v30);
    char v31[6];
    note(v31, sizeof v31);
    char v32[7];
    note(v32, sizeof v32);
    char v33[8];
    note(v33, sizeof v33);
    char v34[9];
    note(v34, sizeof v34);
    char v35[50];
    note(v35, sizeof v35);
    char v36[11];
    note(v36, sizeof v36);
    char v37[12];
    note(v37, sizeof v37);
    char v38[13];
    note(v38, sizeof v38);
    char v39[1];
    note(v39, sizeof v39);
    char v40[2];
    note(v40, sizeof v40);
    char v41[3];
    note(v41, sizeof v41);
    char v42[44];
    note(v42, sizeof v42);
    char v43[5];
    note(v43, sizeof v43);
    char v44[6];
    note(v44, sizeof v44);
    char v45[7];
    note(v45, sizeof v45);
    char v46[8];
    note(v46, sizeof v46);
    char v47[9];
    note(v47, sizeof v47);
    char v48[10];
    note(v48, sizeof v48);
    char v49[51];
    note(v49, sizeof v49);
    char v50[12];
    note(v50, sizeof v50);
    char v51[13];
    note(v51, sizeof v51);
    char v52[1];
    note(v52, sizeof v52);
    char v53[2];
    note(v53, sizeof v53);
    char v54[3];
    note(v54, sizeof v54);
    char v55[4];
    note(v55, sizeof v55);
    char v56[45];
    note(v56, sizeof v56);
    char v57[6];
    note(v57, sizeof v57);
    char v58[7];
    note(v58, sizeof v58);
    char v59[8];
    note(v59, sizeof v59);
    kept[which][at] = 1;  // EXPECT: stack-buffer-overflow write 1
    return v3[0] + v59[0];
}

__attribute__((noinline)) static int below(void) {
    volatile char plain[8192];
    memset((char *)plain, 1, sizeof plain);
    return plain[77];
}

int main(int argc, char **argv) {
    (void)argv;
    int sum = many_variables(43, (size_t)argc + 4);
    return sum + below() == 0;
}
